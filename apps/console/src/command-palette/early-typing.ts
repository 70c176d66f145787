/** What is typed between the opening of a dialog and the moment when its own field has the focus. */
export interface EarlyTyping {
  /** Ends the collecting. @returns null if it has ended already */
  take: () => { text: string; isEntered: boolean } | null
}

/** Collects what is typed in a field that cannot be seen, so that nothing is lost while a dialog loads. */
export function collectTyping(): EarlyTyping {
  const field = document.createElement('input')
  let lastKey = ''
  field.onkeydown = ({ key }) => {
    lastKey = key
  }
  field.style.cssText = 'position:fixed;opacity:0'
  document.body.append(field)
  field.focus()
  return {
    take: () => {
      if (!field.isConnected) return null
      field.remove()
      return { text: field.value, isEntered: lastKey === 'Enter' }
    },
  }
}
