import { routeRecords } from '../catalogue.ts';
import { json, type Reply } from '../reply.ts';

/** Observed operation "Find Transaction Routes". */
export const findRoutes = (): Reply => json(200, routeRecords());
