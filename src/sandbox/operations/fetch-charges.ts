import { chargeRecordOf, scaleOfType } from '../catalogue.ts';
import { json, type Reply, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** Spec: "Charges". */
export function fetchCharges(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('transactiontypeid') ?? '';
  const scale = scaleOfType(id);
  if (scale) return json(200, chargeRecordOf(scale));
  const problem = id === '' ? 'is required' : 'is not the identifier of a transaction type';
  return validationReply({ transactionTypeId: [`The transactionTypeId field ${problem}.`] }, context.random);
}
