import { billServiceRecords } from '../bill-catalogue.ts';
import { json, type Reply } from '../reply.ts';

/** Spec: "Bill services". */
export const findBillServices = (): Reply => json(200, billServiceRecords());
