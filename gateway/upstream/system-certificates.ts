import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Worker } from "node:worker_threads";

/** Worker script: reading the system's store takes up to some hundred milliseconds. */
const READ_CERTIFICATES = `
  const { parentPort } = require("node:worker_threads");
  parentPort.postMessage(require("node:tls").getCACertificates("system"));
`;

let trusting: Promise<void> | null = null;

/**
 * Adds the system's trusted certificates to Node's own list and NODE_EXTRA_CA_CERTS, because a company's authority is
 * only in the system's store. Electron has no --use-system-ca
 * (https://nodejs.org/api/tls.html#tlssetdefaultcacertificatescerts, 2026-11-28). Read once, before the first TLS
 * connection; an unreadable store changes nothing.
 */
export function trustSystemCertificates(): Promise<void> {
  trusting ??= addSystemCertificates().catch(() => undefined);
  return trusting;
}

async function addSystemCertificates(): Promise<void> {
  const certificates = await readSystemCertificates();
  const known = new Set(getCACertificates("default"));
  const added = certificates.filter((certificate) => !known.has(certificate));
  if (added.length > 0) setDefaultCACertificates([...known, ...added]);
}

function readSystemCertificates(): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(READ_CERTIFICATES, { eval: true, execArgv: [], env: process.env, stdin: false });
    worker.once("message", (certificates: readonly string[]) => {
      resolve(certificates);
      void worker.terminate();
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the worker ended")));
  });
}
