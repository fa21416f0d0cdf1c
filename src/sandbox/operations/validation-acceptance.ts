import type { BookedRequest } from '../books/register.ts';
import { json, type Reply } from '../reply.ts';

const ACCEPTED = 'Request accepted, awaiting processing';

/** What both validations are answered with. */
export const validationAccepted = ({ id }: BookedRequest): Reply =>
  json(200, { systemTraceAuditNumber: id, message: ACCEPTED });
