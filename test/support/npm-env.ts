/**
 * What npm is given when a program of ours starts it: where packages are found on this machine, and nothing that an npm around us says
 * of this checkout, or npm would look for its settings here.
 */
const KEPT =
  /^(?:npm_config_(?:registry|cafile|userconfig|globalconfig|cache)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY)$/i;

/** The names that say where packages are found. */
export const registryEnv: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (KEPT.test(name) && value ? [[name, value]] : [])),
);

/** The whole environment but what npm says of this checkout. */
export const npmEnv: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  ...registryEnv,
};
