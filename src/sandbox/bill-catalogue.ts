/** The bills that can be paid at the practice service. Spec: "Bill service". */
import { sha256 } from '../domain/ids.ts';
import { BILL_ROUTE_ID } from './catalogue.ts';
import { drawOf } from './draw.ts';

/** A bill that can be paid, with the limits of one payment. */
export interface BillService {
  /** Digits only, so that it can also be sent as an integer, the type in the field tables. */
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly category: number;
  readonly categoryName: string;
  /** Limits of one payment, in whole units of KES. */
  readonly least: number;
  readonly most: number;
  readonly enabled: boolean;
}

const service = (
  id: string,
  [type, name]: readonly [number, string],
  [category, categoryName]: readonly [number, string],
  [least, most]: readonly [number, number],
  enabled = true,
): BillService => ({ id, type, name, category, categoryName, least, most, enabled });

const power = [1, 'Electricity'] as const;
const water = [2, 'Water'] as const;
const television = [3, 'Television'] as const;

/** Groups as Find Bill Services shows them. */
const groups: readonly (readonly BillService[])[] = [
  [
    service('4101', [1, 'Electricity prepaid'], power, [50, 70_000]),
    service('4102', [2, 'Electricity postpaid'], power, [100, 250_000]),
  ],
  [
    service('4201', [3, 'City water'], water, [10, 150_000]),
    service('4202', [4, 'County water'], water, [10, 50_000], false),
  ],
  [service('4301', [5, 'Satellite television'], television, [100, 20_000])],
];

/** ISO 3166 alpha-2 code of all bills. */
export const BILL_COUNTRY = 'KE';
/** ISO 4217 alphabetic code of all bills. */
export const BILL_CURRENCY = 'KES';
const byId = new Map(groups.flat().map((one) => [one.id, one]));

/** Returns the service of an identifier that was sent as text or as an integer, or `undefined`. */
export const billServiceOf = (id: string): BillService | undefined => byId.get(id);

/** Returns all bill services in their groups. Spec: Find Bill Services. */
export const billServiceRecords = (): object => ({
  billServiceGroup: groups.map((services) => ({
    route: BILL_ROUTE_ID,
    billServices: services.map((one) => ({
      id: one.id,
      countryId: BILL_COUNTRY,
      currencyId: BILL_CURRENCY,
      serviceType: one.type,
      serviceTypeDescription: one.name,
      serviceCategory: one.category,
      serviceCategoryDescription: one.categoryName,
      minAmount: one.least,
      maxAmount: one.most,
      enabled: one.enabled,
      image: `https://practice.invalid/bills/${one.id}.png`,
    })),
  })),
});

/** What an account owes, in whole units, and when it is due. */
interface BillDue {
  readonly amount: number;
  /** yyyy-MM-dd */
  readonly date: string;
}

const DAY_MS = 86_400_000;
/** The most days until a bill is due. */
const DUE_DAYS_MAX = 28;

/** Returns what an account owes. The same account of the same service always owes the same amount. */
export function billDueOf({ id, least, most }: BillService, account: string, at: number): BillDue {
  const digest = sha256(`bill|${id}|${account}`);
  const amount = least + Math.floor(drawOf(digest, 0) * (Math.min(most, 100 * least) - least));
  const days = 1 + Math.floor(drawOf(digest, 1) * DUE_DAYS_MAX);
  return { amount, date: new Date(at + days * DAY_MS).toISOString().slice(0, 10) };
}
