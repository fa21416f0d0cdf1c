/** The files that people start on Windows, as the zip for them has them. */

/** Lines end as programs of Windows expect. */
export const windowsText = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`);

/** What the zip has beside them, from the folder that they lie in. */
export const MAIN = 'app\\dist\\main.js';

/** `paybatch.cmd`: hands on what was typed. */
export const COMMAND = windowsText(['@echo off', `"%~dp0node.exe" "%~dp0${MAIN}" %*`]);

/**
 * `paybatch-console.cmd`, for a double click. The window stays, so that what it says can be read; sheets are chosen below the user's own
 * folder.
 */
export const CONSOLE = windowsText([
  '@echo off',
  'cd /d "%USERPROFILE%"',
  `"%~dp0node.exe" "%~dp0${MAIN}" console %*`,
  'pause',
]);
