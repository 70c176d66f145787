import { useState } from 'react'

/** The value, or while the dialog is closed, and so while it closes, that of when it was last open. */
export function useWhileOpen<Value>(isOpen: boolean, value: Value): Value {
  const [last, setLast] = useState(value)
  if (isOpen && last !== value) setLast(value)
  return isOpen ? value : last
}
