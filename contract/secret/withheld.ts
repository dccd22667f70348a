/** Stands where a secret was taken out. */
export const withheld = '(withheld)';
