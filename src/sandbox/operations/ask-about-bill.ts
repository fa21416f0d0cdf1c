/** Questions about bills, which are published: transaction types 1 and 3 of the same request as a payment. */
import type { BillService } from '../bill-catalogue.ts';
import { type FieldErrors, hasErrors, type Rule, textOf } from '../fields.ts';
import { APP_DOMAIN_NAME, json, type Reply, reasonReply, serviceTime, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { dueFields } from './bill-dues.ts';
import { accountRules, isInvalidAccount, paymentNames, paymentRules, readBill, serviceOf } from './bill-fields.ts';

/** Mandatory for payments only, so all but service and account may be missing when a bill is validated. */
const validationRules: readonly Rule[] = [
  ...accountRules,
  ...paymentRules.slice(accountRules.length).map(({ name, shape }) => ({ name, shape })),
];

/** Transaction type 1. */
export const queryBill = (call: Call, context: ServiceContext): Reply => answerAbout('bill found', call, context);
/** Transaction type 3. */
export const validateBill = (call: Call, context: ServiceContext): Reply =>
  answerAbout('bill validated', call, context);

/** Says what an account owes, without keeping anything. */
function answerAbout(remarks: string, call: Call, context: ServiceContext): Reply {
  const check = checkBillEnquiry(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  const { service, account } = check;
  if (isInvalidAccount(account)) return reasonReply('The account number is invalid.', call.at);
  return json(200, {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      remarks,
      accountNumber: account,
      accountCustomerName: context.books.holderOf(account),
      ...dueFields(service, account, call.at),
      timestamp: serviceTime(call.at),
    },
  });
}

/** A bill that is asked about, or what is wrong with each field. */
type BillCheck =
  | { readonly ok: true; readonly service: BillService; readonly account: string }
  | { readonly ok: false; readonly errors: FieldErrors };

/** A bill that is only asked about (types 1 and 3): service and account are what it takes. */
function checkBillEnquiry(received: unknown): BillCheck {
  const { fields, errors } = readBill(received, paymentNames, validationRules);
  const service = serviceOf(fields, errors);
  if (hasErrors(errors) || !service) return { ok: false, errors };
  return { ok: true, service, account: textOf(fields, 'accountNumber') };
}
