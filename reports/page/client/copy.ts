/** How long a button says that it has done its work, ms. */
const saidForMs = 1_500;

/** Buttons that copy the text beside them; where the browser forbids that, they select it. */
export function mountCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const source = button.parentElement?.querySelector('pre');
    if (source === null || source === undefined) continue;
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(source.textContent ?? '').then(
        () => said(button, 'Copied'),
        () => getSelection()?.selectAllChildren(source),
      );
    });
  }
}

function said(button: HTMLButtonElement, text: string): void {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => {
    button.textContent = before;
  }, saidForMs);
}
