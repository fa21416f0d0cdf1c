/** What the documentation promises about doubt, and about ledgers that are lost, put back or copied, each sentence beside the tests that show it. */

/** A sentence as it stands there, and `FILE: NAME` of each test, or situation of the simulation, that shows it. */
export type Promised = readonly [says: string, ...shownBy: readonly [string, ...(readonly string[])]];

const inDoubt: readonly Promised[] = [
  [
    'A payment whose answer was lost is **in doubt**, not failed.',
    'dispatch/last-order-runs.test.ts: an order that was lost alone stays in doubt, and goes again on the word of a person',
    'protocol/catalogue/odd-answers.deep.test.ts: with %s and was not taken is never called refused',
  ],
  [
    'paybatch never pays it again under a new id. It asks the service about the id that it sent, as often as needed.',
    'cli/commands/retry.test.ts: of a row that was paid, timed out, is not there, or reads rejected beside a result code that decides nothing',
    'protocol/catalogue/late-and-lost.test.ts: has it in doubt and never sent again, by this run or a later one',
    'protocol/catalogue/crash-points.test.ts: after an acceptance was recorded only asks on, also when one more run dies while it asks',
  ],
  [
    '`inDoubt.quietMs` must be at least twice `sending.requestTimeoutMs` (exit 2): before that, a payment that is not found may still be on its way.',
    'e2e/slow-to-take.test.ts: silence that ends while a request may still be under way is refused: %s',
    'e2e/slow-to-take.test.ts: a run that is %s while orders lie at the service is resumed, and nobody is paid twice',
  ],
  [
    '`CHECK In doubt`, `CHECK Timed out`: the money may have left. Do not pay that person by other means.',
    'e2e/endings.test.ts: a sheet with every ending gives every row its own outcome, tells people to resume and never to start again, and going on changes no final word',
    'results/outcome-view.test.ts: is what its outcome says, when nothing else is known',
  ],
  [
    'Run `paybatch resume`. If the row stays in doubt, ask the provider about the order id in the workbook, and record the answer with `paybatch resolve`.',
    'e2e/endings.test.ts: a sheet with every ending gives every row its own outcome, tells people to resume and never to start again, and going on changes no final word',
    'cli/commands/resolve.test.ts: what a person knows of rows that the service leaves open is in the results, and stays when they are looked at again',
  ],
  [
    'paybatch sends an order again, under the same id, when two look-ups do not find it and the service has shown another payment that it accepted no earlier, so look-ups are not late.',
    'dispatch/decision.test.ts: it is submitted again only under the whole rule',
    'dispatch/decision-absence.test.ts: is submitted again when one that was accepted later was shown long enough before',
    'dispatch/last-order-runs.test.ts: the last order leaves when the others were answered, and the one that was lost goes again beside it',
    'dispatch/last-order-runs.test.ts: look-ups that lag for longer than the silence have nobody sent twice',
  ],
  [
    'If no payment was sent after it (it is the only row of a sheet, or the last one), the row stays in doubt.',
    'dispatch/last-order-runs.test.ts: an order that was lost alone stays in doubt, and goes again on the word of a person',
    'dispatch/last-order-runs.test.ts: the last order of several that is lost stays in doubt too: nothing was sent after it',
  ],
  [
    'If the provider says that the order never arrived, run `paybatch resolve BATCH --row N --never-arrived --note "who said so"`, then `paybatch resume`.',
    'e2e/clock-set-back.test.ts: rows in doubt are named with the clock and what to do, and go again when it is right',
    'dispatch/say-absent.test.ts: of an order in doubt, for the total of all its rows',
  ],
  [
    'After an interruption, a closed window, a crash or a power cut, run `paybatch resume`.',
    'e2e/killed.test.ts: by Ctrl-C lets what is on its way land, saves, and exits 130; resume finishes',
    'e2e/killed.deep.test.ts: by closing its window saves as well, and exits 143; resume finishes',
    'e2e/killed.test.ts: pays everybody exactly once at a service of its own',
    'protocol/simulation/timed-themes.ts: power-loss',
  ],
  [
    'paybatch writes every payment to disk before it sends it.',
    'dispatch/stops.test.ts: of an order is on disk before the order is posted, and names the body that is posted',
    'protocol/simulation/unbroken.ts: nothing is submitted without a claim of its own on the disk',
  ],
];

const lost: readonly Promised[] = [
  [
    'If the ledger was lost, with or without its computer, run the same sheets again, under the same names, from the same account: with the same client id, or `idNamespace` of the profile. The computer and the address of the service can differ.',
    'e2e/live-account.test.ts: is not paid a second time, with its ledger or after that is lost',
    'e2e/ledger-put-back.deep.test.ts: when a run is killed, all that is kept of it is deleted, and the sheet is run again',
    'e2e/lost-ledger-situations.ts: a run that is killed, and of which %s is deleted, is run again and pays everybody once',
    'e2e/ledger-lost.deep.test.ts: finds two batches of a computer that is gone, whichever of their sheets is run first',
    'protocol/simulation/situation.ts: batches lost with all that was known',
  ],
  [
    'paybatch notices the loss. The ledger is then **in recovery**: paybatch looks up every payment twice before it sends any, the second time two minutes after the total was typed, and looks up whether `retry` had sent it again.',
    'ledger/checkpoint.test.ts: when it is not the one of the checkpoint',
    'dispatch/recovery.test.ts: sends nothing before every order was looked up, and nothing that was not looked up twice',
    'dispatch/recovery.test.ts: asks for a row three times at most where the service holds nothing of the batch',
    'dispatch/decision-times.test.ts: is proven unsent after the gap, and after the silence of this run, where the ledger is in doubt',
    'preflight/ledger-in-recovery.test.ts: and says why: %s',
  ],
  [
    'Payments that were made are found and not made again.',
    'e2e/lost-ledger-situations.ts: a batch whose failed rows were tried again, and of which %s is deleted, reads as before when it is run again, and sends nothing',
    'e2e/live-account.test.ts: is found at the service even when the ledger is lost',
    'e2e/batch-name.deep.test.ts: makes strangers of nobody when its ledger is lost, %s',
  ],
  [
    'While batches of a lost ledger are open, paybatch names them, and stops a sheet under another name (exit 8), because it may be one of theirs.',
    'ledger/checkpoint.test.ts: survives a run that did not come through, also at a second loss',
    'ledger/checkpoint.test.ts: about what a lost ledger may have sent outlives the first batch that is through',
    'e2e/ledger-lost.deep.test.ts: goes on for every batch of a lost ledger, and no other batch is paid before they are dealt with',
    'protocol/simulation/situation.ts: a lost sheet under another name',
  ],
  [
    'It also stops a sheet that has the name of such a batch but none of its first payments: its references or the account were changed.',
    'e2e/ledger-elsewhere.test.ts: after a loss that left the checkpoint, a sheet under the name of its batch is stopped: %s',
    'protocol/simulation/situation.ts: a lost sheet under another client id',
  ],
  [
    'If a batch no longer needs to be looked up, run `paybatch ledger close-lost NAME --reason "…"`.',
    'e2e/ledger-lost.deep.test.ts: ends for a lost batch with the word of a person, once and for all',
  ],
  [
    'Run the sheets of several lost batches the latest first. A later batch may have taken over rows of an earlier one, so until it is known again, `run`, `resume` and `retry` send nothing of the earlier one (exit 8).',
    'e2e/lost-and-taken-over.deep.test.ts: the sheets of a ledger that is gone are run the latest first',
    'e2e/lost-and-taken-over.deep.test.ts: rows that are unsent in a ledger that was put back are not sent before the later batch is known again',
    'e2e/lost-and-taken-over.deep.test.ts: rows that failed in a ledger that was put back are not tried again before',
  ],
  [
    'A new ledger looks like a lost one, so paybatch looks up every batch of the first 45 days in the same way.',
    'ledger/checkpoint.test.ts: about batches that nobody has named for 45 days after its birth, and then about those that it began',
    'e2e/ledger-lost.deep.test.ts: is done for each batch while the ledger is new, twice for every payment',
  ],
];

const putBack: readonly Promised[] = [
  [
    'If the ledger was restored (`paybatch ledger restore FILE`) or copied, or its disk was reset to a snapshot, use `run` or `resume` as usual. Begin with the sheets of batches that were planned since.',
    'e2e/lost-and-taken-over.deep.test.ts: rows that are unsent in a ledger that was put back are not sent before the later batch is known again',
    'cli/commands/ledger-backup.test.ts: a backup that was made in the middle of a run is put back, and nobody is paid twice or forgotten',
    'e2e/ledger-put-back.deep.test.ts: when a state folder is put back with its checkpoint, and resumed',
    'e2e/ledger-put-back.deep.test.ts: when a disk is put back to a snapshot from the middle of a batch, and resumed',
    'e2e/ledger-put-back.deep.test.ts: when a disk is put back to a snapshot from before a batch, and the batch is run again',
    'protocol/simulation/situation.ts: a folder copied between two runs',
  ],
  [
    'The checkpoint of the ledger shows most such changes.',
    'ledger/checkpoint.test.ts: when it was further at one claim, and is older now',
    'ledger/checkpoint.test.ts: and of which is put back to before the second: %s',
    'ledger/checkpoint.test.ts: when everything was put back from a copy in the same place',
    'e2e/ledger-elsewhere.test.ts: a folder that another computer used last is in doubt, and that of a container that keeps its name is not',
  ],
  [
    'If it does not, the service does: the first run of a batch looks up some of its payments before anything leaves, and `resume` looks up each one.',
    'dispatch/recovery.test.ts: looks the 13 smallest ids up before each of the first three and before all others, which it does not look up',
    'dispatch/recovery.test.ts: a run that goes on with a batch looks each order up just before it leaves',
  ],
  [
    'If the service holds a payment that was never sent from here, the ledger is in recovery.',
    'dispatch/recovery.test.ts: asks for everything in two rounds where one of them was sent, as a folder that was put back would have it',
  ],
  [
    'The first three payments of a run leave one by one, and the others wait until the service shows them.',
    'dispatch/side-by-side.deep.test.ts: sends the first three of the smallest ids one by one, and asks for all of them that it has not sent before each',
    'dispatch/recovery.test.ts: sends three of the smallest ids first, drawn by chance, and the others when the service shows these',
    'dispatch/side-by-side.deep.test.ts: goes another way than the run beside it',
    'e2e/in-step.deep.test.ts: at a service where a repetition is %s, %s pay hardly anybody twice',
  ],
  [
    'If payments turn up that another run sent, the run waits, and then looks up every payment that was not sent.',
    'dispatch/side-by-side.deep.test.ts: stops claiming for a silence, in whichever block it is, and goes on and says so where nothing turns up',
    'dispatch/side-by-side.deep.test.ts: ends the run with nothing more sent where an order turns up that was unknown and was never claimed here',
    'dispatch/side-by-side.deep.test.ts: is no sign of anybody else after an earlier claim: it may be our own that has arrived',
    'dispatch/recovery.test.ts: does not send what shows up at the service between the two look-ups',
  ],
  [
    'If more turn up, or one is shown under another id, sending stops (exit 7): let only one run go on.',
    'dispatch/somebody-else.test.ts: where payments turn up once more, after a run has looked at all of them anew, it stops and has sent nothing',
    'dispatch/recovery.test.ts: stops where the service shows a payment under another id than that of its acceptance',
    'e2e/ledger-shown-too-late.test.ts: a lost ledger at a service that shows its orders too late, and accepts repeats without acting, pays everybody once',
    'protocol/catalogue/ledger-lost.deep.test.ts: pay everybody once, and each knows it in the end, in the mode %s',
  ],
];

const unseen: readonly Promised[] = [
  [
    'Nothing shows these, so payments can be made twice: a snapshot that was restored within two minutes of the last payment;',
    'dispatch/what-cannot-be-seen.test.ts: while its payments are still on their way',
    'protocol/simulation/tally-text.ts: ledger and checkpoint put back together before the service must know what was sent last, where it carries repeats out: nothing shows it yet',
  ],
  [
    'two people who start a sheet of one to three payments in the same second, at a service that pays an id twice; in a larger sheet, it is hardly ever more than one payment. Approvals decide who may start a live batch;',
    'dispatch/what-cannot-be-seen.test.ts: two computers that begin in one moment with a sheet of one payment both make it, where the service carries out what is repeated',
    'protocol/catalogue/ledger-lost.deep.test.ts: pay three of them twice at most where the service pays an id as often as it is sent, with ledgers that are %s, in the mode %s',
    'protocol/simulation/situation.ts: two new ledgers at once',
  ],
  [
    'the same for more payments, in one of 1,700 such starts, and in one of 280 starts of two clones of one machine;',
    'protocol/simulation/situation.ts: two new ledgers in step',
    'protocol/simulation/situation.ts: two copies of a folder in step',
    'protocol/simulation/situation.ts: a new ledger and a trusted one in step',
  ],
  [
    'the first payment after a loss, if look-ups show a payment later than `inDoubt.quietMs` and the service pays an id twice;',
    'dispatch/recovery.test.ts: by more than a silence, it believes nothing that was looked up before its first payments were shown',
    'dispatch/recovery.test.ts: without an end, it sends no more than its first payment, and says so',
  ],
  [
    'a snapshot, if the service shows payments that late, and a payment that such a service says it refused although it took it;',
    'dispatch/what-cannot-be-seen.test.ts: where look-ups do not show what was sent',
    'dispatch/what-cannot-be-seen.test.ts: a payment is called refused that the service took, where it says so and shows nothing of it',
    'protocol/simulation/tally-text.ts: another attempt while look-ups are blind for longer than inDoubt.quietMs: a new identifier rests on look-ups alone',
  ],
  [
    'a snapshot, if look-ups give no clear answer, not even for payments that the service holds (paybatch tells you);',
    'dispatch/what-cannot-be-seen.test.ts: where look-ups give no clear answer at all, and people are told',
    'dispatch/what-cannot-be-seen.test.ts: a snapshot is seen where only payments that the service does not hold get no clear answer',
  ],
  [
    'after a loss of the checkpoint too, a sheet whose references were changed, added or removed, and an account with another client id whose profile does not keep `idNamespace`;',
    'dispatch/what-cannot-be-seen.test.ts: after a loss, payments are made again that are identified otherwise: %s',
  ],
  [
    'after any loss, a payment so old that the service has forgotten it;',
    'dispatch/what-cannot-be-seen.test.ts: after a loss, a payment is made again that the service has forgotten',
  ],
  [
    'after any loss, an order of several rows (`linesPerOrder` above 1, not the default) whose first row was removed from the sheet;',
    'dispatch/what-cannot-be-seen.test.ts: after a loss, a row is not recognised that was sent in an order whose first row is in the sheet no more',
    'protocol/simulation/situation.ts: rows grouped otherwise after a loss',
  ],
  [
    'a snapshot, or any loss of the checkpoint too, after a later batch took over rows of an earlier one: run the later sheet first;',
    'e2e/lost-and-taken-over.deep.test.ts: nothing shows the later batch where the checkpoint was put back too',
  ],
  [
    'a person whose name and account were both corrected in another sheet, without a reference that stayed the same;',
    'e2e/corrected-payees.deep.test.ts: is sent where the name was corrected too: nothing tells who it is',
  ],
  [
    'a request that is delivered twice on its way to the service;',
    'e2e/paid-twice.test.ts: a row that was paid twice is told on screen and in the workbook, with what was paid too much',
    'protocol/simulation/tally-text.ts: requests delivered twice on the way, at a service that carries repeats out',
  ],
  [
    'a snapshot, if only airtime and bills are left.',
    'dispatch/what-cannot-be-seen.test.ts: where all that is left is airtime',
  ],
  [
    'Airtime and bills cannot be looked up reliably. If a ledger is in recovery, check them with the provider, then add the `--accept-unverifiable N` that paybatch asks for.',
    'e2e/ledger-lost.deep.test.ts: is held again when the ledger is lost',
    'preflight/ledger-in-recovery.test.ts: go from a ledger in recovery for their exact number alone',
  ],
];

const words: readonly Promised[] = [
  [
    'Answers that you recorded with `resolve` are lost with the ledger. If you restore a ledger from before such an answer, record the answer again before you resume.',
    'e2e/ledger-elsewhere.test.ts: what a person told a ledger is gone when it is put back from before, and is told again',
    'protocol/simulation/tally-text.ts: a person\'s word "not paid" on an order that never arrived, and then a ledger from before it: the order is sent, and so is what was tried instead',
  ],
  [
    'Until `resume` has looked them up, rows that count as not paid read `Check first`, and `status` ends with 7: the lost ledger may have paid them.',
    'e2e/ledger-lost.deep.test.ts: a ledger that is put back to before a retry vouches for no row that it calls failed, until a run has found out',
  ],
  [
    'Exit 10, "Something other than paybatch changed the ledger": the ledger was edited, or its disk changed it. paybatch sends nothing from it and names the first record that differs.',
    'e2e/edited-ledger.test.ts: is not sent to another phone, though 27 of its 30 bodies name that one',
    'protocol/catalogue/at-the-desk.test.ts: because its pages are damaged ends with 10, and nothing is sent',
  ],
  [
    'Keep the ledger as it is, and see all differences with `paybatch verify`. A workbook that you have says how far the ledger went: `paybatch verify BATCH --results FILE`.',
    'cli/commands/verify.test.ts: of a ledger with another history than a workbook that somebody has kept says so',
    'cli/commands/verify.test.ts: of a workbook in which an outcome, an amount or its head was changed names rows and values, or the head',
  ],
  [
    '`Rejected`, `Refused`, `Failed`: certainly not paid, unless the row reads `Check first`.',
    'dispatch/decision.test.ts: is final once two look-ups, far enough apart, do not know it',
    'protocol/simulation/unbroken.ts: nothing that is paid, or may be, reads as if it could be paid again',
  ],
  [
    'Deal with the reason, then pay these rows again with `paybatch retry`.',
    'cli/commands/retry.test.ts: are paid once more under new ids, and the results count the attempts',
  ],
  [
    'If a row has to be corrected, put it into a new sheet **without the rows that were paid**. A live account stops an edited copy of the whole sheet, under any name.',
    'e2e/duplicate-guards.test.ts: pays what failed in the earlier batch without a question, and is not paid from that batch any more',
    'e2e/duplicate-guards.test.ts: pays nobody the same day or the next one, whatever was corrected, and says who was paid, where, and what to do',
    'e2e/live-account.test.ts: is not paid again, under its own name or another, unless a reason is given',
  ],
  [
    'Exit 11: the service said something that cannot be true, for example another amount. Stop and ask the provider.',
    'dispatch/stops.test.ts: has nothing more sent by a later run, which raises the alarm before anything else',
    'cli/commands/resolve.test.ts: an alarm stops the batch until its row is resolved, and then the other rows go on',
  ],
  [
    'If the service shows a row as paid more than once, the screen and the workbook say how much was overpaid, and by which receipts; the Summary does not tie out then.',
    'e2e/paid-twice.test.ts: a row that was paid twice is told on screen and in the workbook, with what was paid too much',
  ],
];

/** What stands in other sections about ledgers that are lost, new, apart or somebody else's. */
export const elsewhere: readonly Promised[] = [
  [
    'If several people, or a laptop and a server, pay from one account, they share one ledger on PostgreSQL 15 or newer.',
    'e2e/postgres.deep.test.ts: pays everybody once, and the same sheet is refused from then on',
    'e2e/postgres.deep.test.ts: that another computer has planned is known here, and refused',
  ],
  [
    'After a failover, a recovery of the server or a restored dump, the ledger is in recovery: paybatch looks up every payment before it sends it.',
    'ledger/postgres-recovery.deep.test.ts: that ended a recovery may have forgotten what another computer sent, though this one misses nothing',
    'ledger/postgres-recovery.deep.test.ts: into which a dump of the ledger is put back has a copy',
    'ledger/postgres-recovery.deep.test.ts: whose disk is put back to an earlier state has forgotten what was sent',
  ],
  [
    'If a move is interrupted, at any moment, the same command finishes it. Until then, at most one of the two ledgers pays.',
    'ledger/move.deep.test.ts: leaves one place at most that pays, and ends whole when it is begun again',
    'ledger/move.deep.test.ts: a move that is killed at one step after the other ends whole',
  ],
  [
    'From then on, the file refuses every command that would record something (exit 2) and names the new place.',
    'cli/commands/ledger-move.test.ts: the file is moved while a batch is open, refuses from then on, and nobody is paid twice',
  ],
  [
    'The state folder holds one ledger for each profile: back it up, and never share it between two machines.',
    'e2e/live-account.test.ts: does not lend its ledger to another address under the same name',
    'e2e/ledger-elsewhere.test.ts: a folder that another computer used last is in doubt, and that of a container that keeps its name is not',
  ],
  [
    'A live account refuses a state folder on a network or in a synchronised folder (OneDrive, Dropbox …).',
    'e2e/live-account.test.ts: is refused before anything is sent or kept there',
  ],
  [
    'A container needs a volume for it, and a permanent name such as `PAYBATCH_MACHINE=payroll`; otherwise each run looks like another computer.',
    'e2e/ledger-elsewhere.test.ts: a folder that another computer used last is in doubt, and that of a container that keeps its name is not',
  ],
  [
    'Each ledger of a live account is signed with its own key, a file in `ledger-keys` of the configuration folder, or in `PAYBATCH_KEYS`.',
    'cli/state/ledger-keys.test.ts: is a file outside of the state folder that only its owner can read, without which nothing is believed and nothing is damaged',
  ],
  [
    'Back up the key, apart from the ledger. **Without the key, paybatch sends nothing (exit 2).** If the key is lost for good, set the ledger aside and run the same sheets under the same names. paybatch then looks up every payment before it sends it.',
    'e2e/ledger-elsewhere.test.ts: a ledger whose key is lost for good is set aside, and its sheet is found to be paid',
  ],
  [
    'If the tables of the ledger changed, the first command that pays upgrades them, and keeps a copy of the old ledger next to it, `ledger.db.version-…`.',
    'ledger/upgrade.deep.test.ts: leaves the ledger as it was or up to date, and ends whole when it is begun again',
  ],
  [
    'If no file can be written, the key follows from the client secret, and a new secret then needs a new ledger.',
    'cli/state/ledger-keys.test.ts: follows from the client secret where no folder can be written, and has no other one then',
  ],
  [
    '**A second ledger** for the same client id does not know what the first one paid. Its first live run ends with exit 2 until you run `paybatch ledger separate --reason "…"`.',
    'cli/config/trust.test.ts: does not go to a service that the ledger does not belong to, not even from the doctor',
  ],
  [
    'So if you correct a spelling, add a row or sort the rows differently, the other payments stay the same, even after the ledger was lost.',
    'e2e/batch-name.deep.test.ts: makes strangers of nobody when its ledger is lost, %s',
  ],
  [
    'If you change, add or remove a reference, its row becomes another payment.',
    'domain/ids.test.ts: no reference reads like a row without one',
  ],
];

/** The section "When in doubt", sentence by sentence. */
export const whenInDoubt: readonly Promised[] = [...inDoubt, ...lost, ...putBack, ...unseen, ...words];
