// Runs before the first paint, so that the page never flashes in the other colour scheme. Afterwards it follows the
// system's scheme, also on pages without Mantine. The storage key and the attribute are Mantine's.
;(() => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    let scheme = system.matches ? 'dark' : 'light'
    try {
      const chosen = localStorage.getItem('mantine-color-scheme-value')
      if (chosen === 'light' || chosen === 'dark') scheme = chosen
    } catch {
      // Without storage, the system's scheme applies.
    }
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  }
  apply()
  system.addEventListener('change', apply)
})()
