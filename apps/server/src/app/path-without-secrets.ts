/** The path of a request without its query and without the ticket of a download, as logs and problems may show it. */
export function pathWithoutSecrets(url: string): string {
  const path = url.split('?')[0] ?? ''
  return path.replace(/(\/download\/)[^/]+/i, '$1[ticket]')
}
