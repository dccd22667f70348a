/** Makes the clauses of a page searchable; without a script all of them are there. */
export function mountClauseFilter(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-filter=clauses]');
  const output = form?.querySelector('output') ?? null;
  if (form === null || output === null) return;
  const clauses = [...document.querySelectorAll<HTMLElement>('.clause')];
  const filter = (): void => {
    const chosen = new FormData(form);
    const text = String(chosen.get('text') ?? '')
      .trim()
      .toLowerCase();
    const word = String(chosen.get('word') ?? '');
    const level = String(chosen.get('level') ?? '');
    for (const clause of clauses) {
      const { dataset } = clause;
      const isShown =
        (word === '' || dataset['word'] === word) &&
        (level === '' || dataset['level'] === level) &&
        (dataset['text'] ?? '').includes(text);
      clause.hidden = !isShown;
    }
    const shown = clauses.filter(({ hidden }) => !hidden).length;
    output.textContent =
      shown === clauses.length ? `${shown} clauses` : `${shown} of ${clauses.length} clauses`;
  };
  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();
  openTarget();
  addEventListener('hashchange', openTarget);
}

/** A link to a clause opens it, whatever the filter says. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.hidden = false;
  target.open = true;
  target.scrollIntoView();
}
