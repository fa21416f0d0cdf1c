/** The page in a pack that says how to check the pack by hand, and what that shows and does not show. */
import { member, type Pack } from './members.ts';

/**
 * A script that recomputes chain, head and commitments with only Python's own library: a second implementation, for people who
 * do not trust the one in `ledger/`.
 */
const SCRIPT = `import hashlib, json

def sha(text): return hashlib.sha256(text.encode("utf-8")).hexdigest()
def size(text): return len(text.encode("utf-16-le")) // 2
def lines(name): return map(json.loads, open(name, encoding="utf-8", newline="\\n"))

pack = json.load(open("pack.json", encoding="utf-8"))
batch, ledger = pack["batch"], pack["ledger"]

# 1. The head is a hash over the ends of all chains.
ends, own, last = {}, {}, 0
for end in lines("chains.jsonl"):
    steps = end["number"] - ends.get(end["batch"], (0, ""))[0]
    assert steps == end["seq"] - last, f"chains.jsonl: range to {end['seq']}"
    ends[end["batch"]], last = (end["number"], end["hash"]), end["seq"]
    if end["batch"] == batch: own[end["number"]] = end["hash"]
text = "".join(f"{size(name)}:{name}{number}:{hash}" for name, (number, hash) in sorted(ends.items()))
assert last == pack["head"]["seq"] and sha(f"PB1:{ledger}:{text}") == pack["head"]["hash"], "head"

# 2. Each fact holds the hash of the one before it; the last one is the end of this batch. The first one may follow facts that
#    an interrupted planning left under the same name.
before, planned, rows, begun, count = sha(f"PB1:{ledger}:{batch}"), {}, {}, 0, 0
for fact in lines("facts.jsonl"):
    if count == 0 and fact["number"] > 1:
        begun = count = fact["number"] - 1
        before = own[begun]
    count += 1
    order, kind, data = fact.get("order", ""), fact["type"], fact["data"]
    text = f"{before}:{count}:{fact['at']}:{size(batch)}:{batch}{size(order)}:{order}{size(kind)}:{kind}"
    before = sha(f"{text}{size(data)}:{data}")
    assert fact["number"] == count and fact["hash"] == before, f"facts.jsonl: fact {count}"
    said = json.loads(data)
    if "text" in fact:
        assert sha(f"{fact['salt']}fact:{fact['text']}") == said["textHash"], f"facts.jsonl: text of fact {count}"
    if kind == "order-planned":
        planned[order] = said["commitments"]["body"]
        rows.update(zip([line["row"] for line in said["lines"]], said["commitments"].get("rows", [])))
    if kind == "batch-planned":
        assert said.get("beginsAfter", 0) == begun, "facts.jsonl: the first fact"
    if kind == "row-set-aside":
        rows[said["row"]] = said["hash"]
assert (count, before) == ends[batch], "the last fact"

# 3. The facts commit to every row of the sheet and to every request.
bodies = 0
for order in lines("orders.jsonl"):
    if "salt" in order:
        bodies += 1
        assert sha(order["body"]) == order["sha256"], f"orders.jsonl: {order['id']}"
        assert sha(f"{order['salt']}body {order['position']}:{order['body']}") == planned[order["id"]], order["id"]
for row in lines("rows.jsonl"):
    if "salt" in row:
        assert sha(f"{row['salt']}row:{row['text']}") == rows.pop(row["row"]), f"rows.jsonl: row {row['row']}"
print(f"{count - begun} facts, {bodies} requests: all as the facts say")`;

/** What each file holds. */
const contents: readonly (readonly [string, string])[] = [
  [member.pack, 'Which batch this is, which ledger it comes from, and how far that went.'],
  [
    `${member.headText}, ${member.headSignature}, ${member.key}`,
    'The head of the ledger as it was signed, the signature, and the public key.',
  ],
  [member.chains, 'Where the facts of each batch end. Other batches show as a name, a count and a hash.'],
  [
    member.facts,
    'All that happened to this batch, in order: plans, claims, answers of the service as observed, decisions of people, runs.',
  ],
  [member.orders, 'Every request: its exact body, the SHA-256 of that, and the salt of its commitment.'],
  [member.rows, 'Every row of the sheet as it was read, with its salt.'],
  [member.approvals, 'The plan that was approved, who signed, and what exactly.'],
  [
    `${member.plan}, ${member.sheetBook} or ${member.sheetText}`,
    'The plan and the sheet themselves, where somebody still had them.',
  ],
  [member.summary, 'Counts, sums, wallet balances and runs.'],
  [`${member.csv}, ${member.lines}`, 'One line for each row of the sheet: outcome, receipt, fee and reason.'],
  [`${member.sums}, ${member.sumsSignature}`, 'SHA-256 of every file, and the signature over that list.'],
];

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Returns the page for this pack. */
export function howToCheck(pack: Pack): string {
  const { batch, head, ledger, asOf } = pack;
  return `${[
    `# How to check this pack`,
    `This is the evidence pack of the batch \`${batch}\`, as of ${asOf}. It was made by paybatch ${pack.madeWith}. ${pack.notice}`,
    ...notes(pack),
    '## With paybatch',
    'On any computer that has paybatch, without the ledger and without an account:',
    fenced('sh', 'paybatch verify NAME.pack.zip'),
    `It ends with 0 when everything agrees, and with 10 when something does not. Each difference is named. A results workbook or mail of the batch also says a head; \`--results WORKBOOK\` compares it. \`--key ${head.key}\` asks for this key and no other.`,
    '## With common tools',
    'Unpack the zip, and work in its folder. First, every file is what the list says:',
    fenced('sh', `sha256sum -c ${member.sums}        # on a Mac: shasum -a 256 -c ${member.sums}`),
    'The list, and the head of the ledger, were signed with the key of the ledger (Ed25519; OpenSSL 3):',
    fenced(
      'sh',
      [member.sums, member.headText]
        .map((file) => {
          const signature = file === member.sums ? member.sumsSignature : member.headSignature;
          return `openssl pkeyutl -verify -pubin -inkey ${member.key} -rawin -in ${file} -sigfile ${signature}`;
        })
        .join('\n'),
    ),
    'The chain of facts, the head and all commitments, with Python 3 and nothing else. Save this as `check.py` and run `python3 check.py`:',
    fenced('python', SCRIPT),
    `An approval in \`${member.approvals}\` is checked like the head: write its \`text\` and its \`publicKey\` into files, without a line end after the text. The signature is in base64url. The text is the approval file without its signature, as RFC 8785 writes JSON. The maker of a plan signs the same of \`${member.plan}\` without \`signed\`.`,
    '## What is in it',
    ['| File | What it holds |', '| --- | --- |', ...contents.map(([file, says]) => `| ${file} | ${says} |`)].join(
      '\n',
    ),
    'A commitment is a SHA-256 over a random salt, a label and a text. The fact holds the hash; salt and text are kept separately.',
    '## What it shows',
    list([
      `The facts were signed with the key \`${head.key}\`: none was changed, left out or added since, up to fact ${head.seq} of the ledger \`${ledger}\`.`,
      'The batch is complete: every row of the sheet is there once, and count and total are those of the plan.',
      'Every request is the one that was planned before anything was sent, byte for byte.',
      'Outcomes, receipts, fees and sums follow from the facts: the answers of the service, and the decisions of people.',
      'Each approver that is named, or a person who has their key, signed the plan with this SHA-256.',
    ]),
    '## What it does not show',
    list([
      'That the money arrived. Answers of the service are recorded as they were observed; the service does not sign them. Compare the receipts with the statement of the provider or the bank.',
      'That the key is the right one. Compare it with a results workbook, a log or a mail from the day of the payment, which somebody else has kept.',
      'That history was not rewritten by somebody who has the key. Only a head that was handed out earlier shows that: each one from the time of this batch can be computed from `chains.jsonl` and `facts.jsonl`.',
      'What happened afterwards, and what other batches of this ledger, or other ledgers, have paid to the same people.',
      'That the times are right. They are those of the clocks of the computers that paid.',
      'Who the approvers are. Names and keys are those of the configuration; ask for them where they are known.',
    ]),
  ].join('\n\n')}\n`;
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Returns notes about what is unusual in this pack. */
function notes({ sandbox, inRecovery, sheet, plan }: Pack): readonly string[] {
  return [
    ...(sandbox
      ? [
          '**This was a rehearsal on the practice service. No money moved.** Its key is known to everybody, so its signatures prove nothing.',
        ]
      : []),
    ...(inRecovery
      ? [
          '**The ledger was in recovery when this was made:** it may not know of everything that was sent. Rows that read "Check first" may have been paid.',
        ]
      : []),
    ...(sheet.member === null
      ? [
          `The file of the sheet is not in here. Its SHA-256 was ${sheet.sha256}; \`${member.rows}\` holds every row as it was read.`,
        ]
      : []),
    ...(plan && plan.member === null
      ? [
          `The plan that was approved is not in here. Its SHA-256 is ${plan.sha256}. Without it, the signature of its maker cannot be checked.`,
        ]
      : []),
  ];
}
