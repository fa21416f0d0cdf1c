import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Issue } from '../../src/domain/issue.ts';
import { issueFix, issueMessage } from '../../src/texts/issue-message.ts';
import { reportedSheets } from '../fixtures/sheets/reported.ts';
import { judge } from '../support/sheets/judge-sheet.ts';

const FOLDER = path.join(import.meta.dirname, '..', 'fixtures', 'sheets', 'reported');

const placeOf = ({ cell, row }: Issue): string | undefined => cell ?? (row === undefined ? undefined : `row ${row}`);

test('every sheet that was reported is judged', () => {
  expect(reportedSheets.map(({ file }) => file).toSorted()).toEqual(readdirSync(FOLDER).toSorted());
});

test.each(reportedSheets)('$file: $about', async ({ file, refusedAt, toldAt, ready, says }) => {
  const { verdict, issues, rows, total, fault } = await judge(path.join(FOLDER, file));
  if (ready) expect({ verdict, rows, total }).toEqual({ verdict: 'ready', ...ready });
  if (refusedAt) {
    const places = issues.filter(({ level }) => level === 'error').map(placeOf);
    expect(verdict).toBe('issues');
    if (refusedAt.length > 0) expect(places).toEqual(refusedAt);
  }
  if (toldAt) expect(issues.map(placeOf)).toEqual(expect.arrayContaining([...toldAt]));
  if (says) {
    const told = fault ? [`${fault.message} ${fault.remedy}`] : [];
    const words = [...told, ...issues.map((found) => `${issueMessage(found)} ${issueFix(found)}`)].join('\n');
    expect(words).toMatch(says);
  }
});
