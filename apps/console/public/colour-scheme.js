// Runs before the first paint, so that the page never flashes in the other colour scheme.
// The key and the attribute are Mantine's.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  let scheme = dark ? 'dark' : 'light'
  try {
    const chosen = localStorage.getItem('mantine-color-scheme-value')
    if (chosen === 'light' || chosen === 'dark') scheme = chosen
  } catch {
    // No storage: the system's scheme stands.
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
