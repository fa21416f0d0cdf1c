/** The result of one attempt to notify. */
export interface Delivery {
  /** Why the notification was not delivered, in a clause; absent if it was. */
  readonly failed?: string;
}
