/**
 * Has the browser download a file from a link of this server, so that nothing of it passes through the page. The page
 * stays as it is, also when the server refuses, and nothing asks about unsaved changes.
 */
export function downloadFrom(url: string): void {
  const link = document.createElement('a')
  link.href = `.${url}`
  // The server names the file.
  link.download = ''
  link.click()
}
