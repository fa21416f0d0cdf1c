/** A word of a cell as it is compared: small letters and digits alone, without accents, so that `Espèces` is `especes`. */
export const foldedWord = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
