/** Addresses that mean the same place, written one way. */

/** An address as every writing of it ends up: host in small letters, no usual port, no slash at its end, %2F and not %2f. */
export function plainAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { href } = new URL(text);
  return href.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()).replace(/\/+$/, '');
}
