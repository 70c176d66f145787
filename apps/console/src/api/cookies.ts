/**
 * Everything that the console asks for is relative to the `<base>` of index.html, for which the server sets the path of
 * PUBLIC_URL: `.${path}` for a path of the contract.
 */
export const publicPath = () => new URL(document.baseURI).pathname

/** The name of a cookie or storage key, with the path, so that consoles at other paths of the host have their own. */
export function ownName(name: string): string {
  return name + publicPath().slice(0, -1).replaceAll('/', '~')
}

/** Returns null if there is no such cookie. */
export function readCookie(name: string): string | null {
  const start = `${ownName(name)}=`
  const found = document.cookie.split('; ').find((each) => each.startsWith(start))
  return found === undefined ? null : decodeURIComponent(found.slice(start.length))
}

/** Sets a cookie for the whole console, with SameSite=Strict; by default it is Secure if the page uses https. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number, secure = onHttps()): void {
  const attributes = `path=${publicPath()}; max-age=${maxAgeSeconds}; SameSite=Strict${secure ? '; Secure' : ''}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available on plain http.
  document.cookie = `${ownName(name)}=${encodeURIComponent(value)}; ${attributes}`
}

export function deleteCookie(name: string): void {
  writeCookie(name, '', 0)
}

function onHttps(): boolean {
  return location.protocol === 'https:'
}
