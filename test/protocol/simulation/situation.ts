/** Situations that take more than one ledger, more than one sheet, or orders in a certain place: counted beside the kinds of faults. */
export const situations = [
  'two new ledgers at once',
  'a folder copied before the batch',
  'a folder copied between two runs',
  'a folder copied while orders go out',
  'a folder copied while its computer sleeps',
  'batches lost with all that was known',
  'batches lost, and marks left',
  'a name corrected after a loss',
  'a row added after a loss',
  'a row removed after a loss',
  'rows sorted otherwise after a loss',
  'rows grouped otherwise after a loss',
  'a batch named in another case after a loss',
  'a lost sheet under another name',
  'a lost sheet of an organisation with another name',
  'the first orders refused',
  'all orders refused',
  'asleep in the middle of a run',
  'a folder put back, and rows tried again',
  'a folder put back, and rows stopped',
  'look-ups that lag where repetitions are carried out',
] as const;

export type Situation = (typeof situations)[number];
