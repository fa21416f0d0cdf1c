/**
 * Holders of accounts, as the practice service knows them. The first of these rules that applies names the holder: NO SUCH
 * NAME for the ending 0011; the recipient that the latest payment order named for the account; otherwise the last digit
 * chooses the first name, and the digit before it the family name (…78: JANE WANJIKU).
 */

const firstNames = ['AMINA', 'BARAKA', 'CHEBET', 'DAVID', 'ESTHER', 'FATUMA', 'GRACE', 'HASSAN', 'JANE', 'KEVIN'];
const familyNames = [
  'ABDI',
  'KAMAU',
  'MWANGI',
  'NJOROGE',
  'OCHIENG',
  'ODHIAMBO',
  'OTIENO',
  'WANJIKU',
  'MUTUA',
  'KIPTOO',
];
const NOBODY = 'NO SUCH NAME';

/** Reduces an account to its letters and digits: `+254 712 000 777` and `254712000777` are one account. */
const accountKey = (account: string): string => account.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

export class Holders {
  readonly #recipients = new Map<string, string>();

  /**
   * Records the recipient that an order names for an account; the latest one counts. Accounts are kept as written, because
   * this is a hot path.
   */
  named(account: string, name: string): void {
    this.#recipients.set(account, name);
  }

  nameOf(account: string): string {
    if (account.endsWith('0011')) return NOBODY;
    const key = accountKey(account);
    const named = this.#recipients.get(account) ?? this.#recipients.get(key) ?? this.#recipients.get(`+${key}`);
    const digits = account.replace(/\D/g, '').slice(-2).padStart(2, '0');
    return named ?? `${firstNames[Number(digits[1])]} ${familyNames[Number(digits[0])]}`;
  }
}
