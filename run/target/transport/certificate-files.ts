import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf } from '../../../contract/thrown.ts';
import type { ClientCertificate, TransportSettings } from '../../../contract/transport.ts';
import { UsageError } from '../../../contract/usage-error.ts';

const certificateBlock =
  /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

/**
 * The certificates of a file that holds authorities, as PEM.
 * @throws {UsageError} where the file cannot be read, or holds none that is valid today.
 */
export async function readAuthorities(path: string, cwd: string): Promise<readonly string[]> {
  const blocks = certificatesIn(await textOf(path, { cwd, flag: '--ca' }), { path, flag: '--ca' });
  const newest = blocks.map(({ certificate }) => certificate.validToDate).sort((a, b) => +b - +a)[0];
  if (newest !== undefined && +newest < Date.now()) {
    throw new UsageError(
      `--ca ${path}: the certificate of the authority expired on ${dayOf(newest)}: name a file with the one of today.`,
    );
  }
  return blocks.map(({ pem }) => pem);
}

/**
 * Our own certificate and its key; `null` where the settings name none.
 * @throws {UsageError} where a file is missing or cannot be used, or the two do not belong together. Never says what is
 * in a key.
 */
export async function readClientCertificate(
  { clientCert, clientKey }: TransportSettings,
  cwd: string,
): Promise<ClientCertificate | null> {
  if (clientCert === undefined && clientKey === undefined) return null;
  if (clientCert === undefined || clientKey === undefined) {
    const [given, missing] =
      clientKey === undefined ? ['--client-cert', '--client-key'] : ['--client-key', '--client-cert'];
    throw new UsageError(
      `${given} needs ${missing} beside it: a client shows its certificate and signs with its key. ` +
        'Where one file holds both, name it twice.',
    );
  }
  const cert = await textOf(clientCert, { cwd, flag: '--client-cert' });
  const key = await textOf(clientKey, { cwd, flag: '--client-key' });
  const [own] = certificatesIn(cert, { path: clientCert, flag: '--client-cert' });
  const opened = openKey(key, clientKey);
  if (own !== undefined && !own.certificate.checkPrivateKey(opened)) {
    throw new UsageError(
      `--client-key ${clientKey} does not belong to the certificate in ${clientCert}: name the key that it was made for.`,
    );
  }
  if (own !== undefined && +own.certificate.validToDate < Date.now()) {
    throw new UsageError(
      `--client-cert ${clientCert}: the certificate expired on ${dayOf(own.certificate.validToDate)}: name one that is valid.`,
    );
  }
  return { certPath: resolve(cwd, clientCert), keyPath: resolve(cwd, clientKey), cert, key };
}

type Named = { readonly path: string; readonly flag: string };

function certificatesIn(text: string, { path, flag }: Named) {
  const blocks = text.match(certificateBlock) ?? [];
  if (blocks.length === 0) {
    throw new UsageError(
      `${flag} ${path} holds no certificate: it needs the text form (PEM), which begins with "-----BEGIN CERTIFICATE-----".`,
    );
  }
  return blocks.map((pem, at) => {
    try {
      return { pem: `${pem}\n`, certificate: new X509Certificate(pem) };
    } catch {
      throw new UsageError(
        `${flag} ${path}: certificate ${at + 1} of ${blocks.length} cannot be read; is the file whole?`,
      );
    }
  });
}

function openKey(text: string, path: string): KeyObject {
  if (/ENCRYPTED/.test(text)) {
    throw new UsageError(
      `--client-key ${path} is encrypted with a passphrase: name a file with the key as it is, which others cannot read.`,
    );
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw new UsageError(`--client-key ${path} holds no private key in its text form (PEM).`);
  }
}

async function textOf(
  path: string,
  { cwd, flag }: { readonly cwd: string; readonly flag: string },
): Promise<string> {
  return readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    const why = codeOf(error) ?? String(error);
    throw new UsageError(`${flag} ${path} cannot be read (${why}): give the path of a file that is there.`);
  });
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
