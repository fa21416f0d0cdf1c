/** What came of telling somebody. */
export interface Delivery {
  /** Why nobody was told, in a clause; missing: somebody was. */
  readonly failed?: string;
}
