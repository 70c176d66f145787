/** Returns null if there is no such cookie. */
export function readCookie(name: string): string | null {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
}

/** Sets a cookie for the whole site, with SameSite=Strict; by default it is Secure if the page uses https. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number, secure = onHttps()): void {
  const attributes = `path=/; max-age=${maxAgeSeconds}; SameSite=Strict${secure ? '; Secure' : ''}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available on plain http.
  document.cookie = `${name}=${encodeURIComponent(value)}; ${attributes}`
}

export function deleteCookie(name: string): void {
  writeCookie(name, '', 0)
}

function onHttps(): boolean {
  return location.protocol === 'https:'
}
