/** Descriptors as PowerShell prints them, written by hand from Microsoft's description of the format. */
import { expect, test } from 'vitest';
import { accessIn } from '../../src/files/windows-access.ts';

const USER = 'S-1-5-21-1111111111-2222222222-3333333333-1001';
const COLLEAGUE = 'S-1-5-21-1111111111-2222222222-3333333333-1002';
const INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464';
const of = (list: string, owner = USER): string => `O:${owner}G:${USER}D:${list}`;
const MINE = `(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;${USER})`;

test.each([
  ['of a user profile', of(`AI${MINE}`)],
  ['with numbers for rights', of(`PAI(A;;0x1f01ff;;;SY)(A;;0x1f01ff;;;${USER})`)],
  ['of the administrators', of(MINE, 'BA')],
  ['of the installer', of(`${MINE}(A;;FA;;;${INSTALLER})`)],
  ['that gives others only what is made in it later', of(`${MINE}(A;OICIIO;GA;;;WD)(A;CIIO;FA;;;BU)`)],
  ['that lets others look at its name and list alone', of(`${MINE}(A;;RC;;;BU)(A;;0x120080;;;WD)`)],
  ['that denies others something', of(`(D;;FW;;;WD)${MINE}`)],
  ['with a list that gives nobody anything', of('P')],
  ['with rules of auditing behind it', `${of(MINE)}S:AI(AU;SAFA;FA;;;WD)`],
])('a file %s is for its user alone', (_, sddl) => {
  expect(accessIn(sddl, USER)).toEqual({});
});

const everybody = { write: 'everybody can write to it', read: 'everybody can read it' };

test.each([
  ['everybody', of(`${MINE}(A;;FA;;;WD)`), everybody],
  ['everybody, by the number of the account', of(`${MINE}(A;;0x1301bf;;;S-1-1-0)`), everybody],
  ['readers', of(`AI${MINE}(A;ID;FR;;;BU)`), { read: 'every user of this computer can read it' }],
  [
    'readers and those who run it',
    of(`AI${MINE}(A;ID;0x1200a9;;;BU)`),
    { read: 'every user of this computer can read it' },
  ],
  ['who may only write', of(`${MINE}(A;;FW;;;AU)`), { write: 'everybody who is signed in can write to it' }],
  ['who may add to it', of(`${MINE}(A;;LC;;;AU)`), { write: 'everybody who is signed in can write to it' }],
  ['who may delete it', of(`${MINE}(A;;SD;;;AU)`), { write: 'everybody who is signed in can write to it' }],
  ['who may change its list', of(`${MINE}(A;;WD;;;AU)`), { write: 'everybody who is signed in can write to it' }],
  ['who may take it', of(`${MINE}(A;;WO;;;AU)`), { write: 'everybody who is signed in can write to it' }],
  [
    'a colleague',
    of(`${MINE}(A;;GRGW;;;${COLLEAGUE})`),
    { write: `another account (${COLLEAGUE}) can write to it`, read: `another account (${COLLEAGUE}) can read it` },
  ],
  ['with a right twice', of(`${MINE}(A;;FRFR;;;BU)`), { read: 'every user of this computer can read it' }],
  ['under a condition', of(`${MINE}(XA;;FR;;;BU)`), { read: 'every user of this computer can read it' }],
  ['without a list', `O:${USER}G:${USER}`, everybody],
  ['with a list that says so', of('NO_ACCESS_CONTROL'), everybody],
  [
    'whose owner is a colleague',
    of(MINE, COLLEAGUE),
    { write: `another account (${COLLEAGUE}) can write to it`, read: `another account (${COLLEAGUE}) can read it` },
  ],
])('a file is not: %s', (_, sddl, access) => {
  expect(accessIn(sddl, USER)).toEqual(access);
});
