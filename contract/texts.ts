/** Texts, each once, by number; 0 stands for none. */
export class Texts {
  readonly all: (string | null)[] = [null];
  readonly #known = new Map<string, number>();

  numberOf(text: string | null): number {
    if (text === null) return 0;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const next = this.all.length;
    this.all.push(text);
    this.#known.set(text, next);
    return next;
  }
}
