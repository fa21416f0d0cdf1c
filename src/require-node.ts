/** Loaded before anything else of paybatch: throws, in one line, on a Node.js that is too old for the rest. It uses nothing that an older one lacks. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(`paybatch needs Node.js 22.19 or newer; this is ${process.versions.node}. See https://nodejs.org`);
}

export {};
