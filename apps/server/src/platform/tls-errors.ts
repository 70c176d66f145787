const ofTls = /CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO_|CRL|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|CHAIN/

/** @param code of an error of Node's */
export function isTlsError(code: string): boolean {
  return ofTls.test(code)
}
