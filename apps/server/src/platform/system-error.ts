/** Node's errors of files, sockets and processes have no class of their own, only a code such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

const ofTls = /CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO_|CRL|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|CHAIN/

/** @param code of an error of Node's */
export function isTlsError(code: string): boolean {
  return ofTls.test(code)
}
