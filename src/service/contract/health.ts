import { z } from 'zod';
import { defineOperation } from './operation.ts';

export const checkHealth = defineOperation({
  name: 'check-health',
  summary: 'Asks whether the service is up; it answers in plain text.',
  method: 'GET',
  path: '/api_health_check',
  answers: 'text',
  reply: z.string(),
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: true,
  authorised: false,
});
