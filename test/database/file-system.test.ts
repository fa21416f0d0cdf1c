import { describe, expect, test } from 'vitest';
import { fileSystemOfPath } from '../../src/database/file-system.ts';

describe('the path of a folder', () => {
  test.each([
    ['a share of Windows', String.raw`\\server\finance\paybatch`],
    ['a share as long paths name it', String.raw`\\?\UNC\server\finance\paybatch`],
  ])('says that it is on another machine: %s', (_, whole) => {
    expect(fileSystemOfPath(whole)).toEqual({ name: 'a share', place: 'network' });
  });

  test.each([
    ['OneDrive', String.raw`C:\Users\Mary\OneDrive - Acme\paybatch`],
    ['Dropbox', '/home/mary/Dropbox/paybatch'],
  ])('says that a program copies it elsewhere: %s', (_, whole) => {
    expect(fileSystemOfPath(whole)).toEqual({ name: whole, place: 'synchronised' });
  });

  test.each([
    ['a drive', String.raw`C:\Users\Mary\AppData\Local\paybatch`],
    ['a long path of a drive', String.raw`\\?\C:\Users\Mary\paybatch`],
    ['a device', String.raw`\\.\C:\paybatch`],
    ['a folder of Linux', '/var/lib/paybatch'],
  ])('says nothing by itself: %s', (_, whole) => {
    expect(fileSystemOfPath(whole)).toBeUndefined();
  });
});
