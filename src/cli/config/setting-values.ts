/** Values that several settings take: amounts, currencies, addresses, texts of a length. */
import { z } from 'zod';
import { currencyOf } from '../../domain/currency.ts';

export const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'an amount in double quotes, with digits and a point');
/** Exactly as batches carry it: a limit under any other spelling would hold nobody. */
export const currencyCode = z
  .string()
  .refine((code) => currencyOf(code)?.code === code, 'a currency code of three capital letters');

export const milliseconds = z.int().min(0);

/** Reports on payments cross no network unencrypted. */
export function isReachable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

export const isOrigin = (address: string): boolean => isReachable(address) && new URL(address).origin === address;

export const textUpTo = (longest: number) => z.string().max(longest);
