import { howMany } from '../../../contract/quantities.ts';
/** Copying commands, filtering clauses, printing. Without a script the page is complete, but only text. */
export function mountControls(): void {
  mountPrinting();
  mountCopyButtons();
  mountClauseFilter();
}

/** On paper nothing can be opened: all folded parts are opened before printing, and folded again afterwards. */
function mountPrinting(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>('details.fold:not([open])')];
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
}

/** How long a button says that it is done, ms. */
const doneForMs = 1_500;

/** Buttons that copy the text next to them; where the browser forbids that, they select it. */
function mountCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const source = button.parentElement?.querySelector('pre');
    if (source === null || source === undefined) continue;
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(source.textContent ?? '').then(
        () => say(button, 'Copied'),
        () => getSelection()?.selectAllChildren(source),
      );
    });
  }
}

function say(button: HTMLButtonElement, text: string): void {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => {
    button.textContent = before;
  }, doneForMs);
}

function mountClauseFilter(): void {
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
      shown === clauses.length
        ? howMany(shown, 'clause')
        : `${shown} of ${howMany(clauses.length, 'clause')}`;
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
