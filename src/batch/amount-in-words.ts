/** Amounts in English words, as on a cheque: `Kenya shillings six thousand five hundred only`. */
import { wordsOf } from '../kinds/plain-text.ts';

const UNITS: ReadonlyMap<string, bigint> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, BigInt(value)] as const),
);
const TENS: ReadonlyMap<string, bigint> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at) => [word, BigInt(at + 2) * 10n] as const),
);
const SCALES: ReadonlyMap<string, bigint> = new Map([
  ['thousand', 1_000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
]);

const HAS_SCALE = /\b(?:hundred|thousand|million)\b/i;
const LABEL = /^.*\bin words\b\W*/i;
/** What is written around the words of the number. */
const AROUND: ReadonlySet<string> = new Set([
  ...['and', 'only', 'a', 'say', 'amount', 'total', 'sum', 'of', 'the', 'kenya', 'kenyan', 'uganda', 'ugandan'],
  ...['tanzania', 'tanzanian', 'rwanda', 'rwandan', 'shilling', 'shillings', 'franc', 'francs', 'dollars'],
  ...['kes', 'ksh', 'kshs', 'ugx', 'ugshs', 'tzs', 'tshs', 'rwf', 'frw', 'usd', 'sh', 'shs'],
]);

/** Returns the whole units that a text says in words; `undefined` if it says anything else, such as cents. */
export function amountInWords(text: string): bigint | undefined {
  if (!HAS_SCALE.test(text)) return undefined;
  let sum = 0n;
  let group = 0n;
  for (const word of wordsOf(text.replace(LABEL, '')).trim().split(' ')) {
    const value = UNITS.get(word) ?? TENS.get(word);
    const scale = SCALES.get(word);
    if (value !== undefined) group += value;
    else if (word === 'hundred') group = (group === 0n ? 1n : group) * 100n;
    else if (scale !== undefined) {
      sum += (group === 0n ? 1n : group) * scale;
      group = 0n;
    } else if (!AROUND.has(word)) return undefined;
  }
  return sum + group;
}
