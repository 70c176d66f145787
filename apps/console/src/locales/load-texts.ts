import i18next from 'i18next'

/**
 * Loads texts before what needs them is drawn. If they were loaded then, the whole page, or the dialog, would go for a
 * moment, and the focus with it. If it fails, they are loaded then all the same.
 */
export function loadTexts(...namespaces: readonly string[]): Promise<void> {
  return i18next.loadNamespaces(namespaces).catch(() => undefined)
}
