/**
 * The script that paybatch replaces, as a competent engineer writes it in an afternoon: the sheet in memory, p-limit, undici,
 * a workbook at the end, and nothing that survives a crash. `node test/bench/programs/afternoon-script.ts SHEET URL RESULTS CONCURRENCY`.
 * It is a measure and no example: killed in the middle it does not know whom it has paid.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { ScriptRow, scriptRows } from './script-rows.ts';

const [sheet = '', url = '', results = '', concurrency = '64'] = process.argv.slice(2);

const agent = new Agent({ connections: Number(concurrency) });
const form = new URLSearchParams({ client_id: 'a', client_secret: 'b', grant_type: 'client_credentials', scope: 'x' });
const tokenReply = await request(`${url}/connect/token`, {
  method: 'POST',
  body: form.toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  dispatcher: agent,
});
const { access_token: token } = (await tokenReply.body.json()) as { access_token: string };
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

const rows = await scriptRows(sheet);

function orderOf(row: ScriptRow): object {
  return {
    originatorConversationId: randomUUID(),
    paymentNotes: 'Payroll',
    paymentOrderLines: [
      {
        remitter: { name: 'Bench Ltd', phoneNumber: '+254700000000', country: 'KE', ccy: 404 },
        recipient: {
          name: row.Name,
          primaryAccountNumber: row.Phone.replace(/^0/, '254'),
          phoneNumber: row.Phone.replace(/^0/, '254'),
          ccy: 404,
          country: 'KE',
          purpose: 'Salary',
        },
        transaction: {
          routeId: 'r-wallet',
          channelType: 1,
          amount: row.Amount,
          reference: row.Reference,
          systemTraceAuditNumber: randomUUID(),
        },
      },
    ],
  };
}

interface Paid {
  readonly row: ScriptRow;
  readonly id: string;
  status: string;
  receipt: string;
  fee: number;
}

const limit = pLimit(Number(concurrency));
const paid = await Promise.all(
  rows.map((row) =>
    limit(async (): Promise<Paid> => {
      const order = orderOf(row) as { originatorConversationId: string };
      const { statusCode, body } = await request(`${url}/v1/payment-order/new-order`, {
        method: 'POST',
        headers,
        body: JSON.stringify(order),
        dispatcher: agent,
      });
      await body.json();
      const status = statusCode === 200 ? 'accepted' : 'failed';
      return { row, id: order.originatorConversationId, status, receipt: '', fee: 0 };
    }),
  ),
);

interface Answer {
  orderLines: {
    transactionOutcome: {
      transactionStatus: number;
      feeAmount: number;
      thirdPartyPayload: { thirdPartyReceiptNumber: string };
    };
  }[];
}

let open = paid.filter(({ status }) => status === 'accepted');
while (open.length > 0) {
  await Promise.all(
    open.map((one) =>
      limit(async () => {
        const { body } = await request(
          `${url}/v1/payment-order/check-status?IdType=OriginatorConversationId&Id=${one.id}`,
          {
            headers,
            dispatcher: agent,
          },
        );
        const outcome = ((await body.json()) as Answer).orderLines[0]?.transactionOutcome;
        if (outcome?.transactionStatus !== 4) return;
        one.status = 'completed';
        one.receipt = outcome.thirdPartyPayload.thirdPartyReceiptNumber;
        one.fee = outcome.feeAmount;
      }),
    ),
  );
  open = open.filter(({ status }) => status === 'accepted');
  if (open.length > 0) await sleep(1000);
}

const book = new ExcelJS.Workbook();
const worksheet = book.addWorksheet('Results');
worksheet.columns = [...Object.keys(ScriptRow.shape), 'Order id', 'Status', 'Receipt', 'Fee'].map((header) => ({
  header,
  key: header,
}));
for (const { row, id, status, receipt, fee } of paid) {
  worksheet.addRow([...Object.values(row), id, status, receipt, fee]);
}
await book.xlsx.writeFile(results);
process.stdout.write(`${paid.filter(({ status }) => status === 'completed').length} completed\n`);
await agent.close();
