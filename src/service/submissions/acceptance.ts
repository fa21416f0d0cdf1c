/** What the acceptance of an order says: the order was taken, not paid. Spec: "Payment order acceptance response". */

type Text = string | null | undefined;

/** The answer to every submission that is taken. */
export interface Accepted {
  readonly message: {
    readonly originatorConversationId: string;
    readonly systemConversationId?: Text;
    readonly appDomainName?: Text;
  };
}

/** An acceptance in our own terms. */
export interface Acceptance {
  /** The order that was taken, as the service writes its id. */
  readonly order: string;
  readonly serviceId: Text;
  /** The environment that took the order, by the name that it gives itself. */
  readonly environment: Text;
}

/** Reads an acceptance that has the shape of the contract. */
export const acceptanceOf = ({ message }: Accepted): Acceptance => ({
  order: message.originatorConversationId,
  serviceId: message.systemConversationId,
  environment: message.appDomainName,
});
