/** All that can go wrong in a simulation, by the side on which it does. Coverage counts them and their pairs. */
export const networkFaults = [
  'unreached',
  'outage',
  'lost-request',
  'lost-answer',
  'reset-before',
  'reset-after',
  'late-request',
  'delivered-twice',
  'slow',
  'error-before',
  'error-after',
  'throttled',
  'throttled-with-time',
  'garbage-before',
  'garbage-after',
  'truncated',
  'other-refusal',
  'token-error',
] as const;

export const serviceFaults = [
  'token-expired',
  'repeat-refused',
  'repeat-replayed',
  'repeat-nine',
  'repeat-executed',
  'repeat-hidden',
  'read-lag',
  'no-unknown-form',
  'rejected',
  'failed',
  'timed-out',
  'late-completion',
  'undecided',
  'stuck',
  'refused',
  'odd-status',
  'withdrawn',
  'reject-ignored',
  'reject-late',
] as const;

/** Evidence that contradicts what was sent: the service or somebody in between lies. */
export const lies = [
  'amount-held',
  'amount-paid',
  'account-held',
  'extra-line',
  'line-twice',
  'status-back',
  'other-order',
  'echo-of-another',
  'completion-denied',
] as const;

export const machineFaults = [
  'crash',
  'power-loss',
  'second-runner',
  'paused',
  'asleep',
  'clock-forward',
  'clock-back',
  'clock-skew',
  'disk-full',
  'disk-error',
  'interrupted',
  'ledger-lost',
  'ledger-restored',
  'checkpoint-lost',
  'checkpoint-restored',
] as const;

export const faultKinds = [...networkFaults, ...serviceFaults, ...lies, ...machineFaults] as const;

export type NetworkFault = (typeof networkFaults)[number];
export type Lie = (typeof lies)[number];
export type FaultKind = (typeof faultKinds)[number];
