/** Why a file that paybatch wrote cannot be used any more: somebody changed it, or a disk damaged it. */
import { z } from 'zod';

/** Returns the reason in one line: what a parser says, or each field that is wrong. */
export const whyUnusable = (error: Error): string =>
  error instanceof z.ZodError
    ? `${error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ')}.`
    : error.message;
