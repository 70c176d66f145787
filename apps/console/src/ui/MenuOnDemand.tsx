import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { toastLoadFailed } from './on-demand.tsx'

export interface OnDemandMenuProps {
  /** The button to which the menu is attached. */
  target: ReactElement
  opened: boolean
  onChange: (opened: boolean) => void
}

interface MenuOnDemandProps {
  button: ReactElement<{
    onClick?: () => void
    'aria-haspopup'?: 'menu' | 'dialog'
    ref?: RefObject<HTMLButtonElement | null>
  }>
  /** May be a lazily loaded component. */
  menu: (props: OnDemandMenuProps) => ReactNode
  opens?: 'menu' | 'dialog'
}

/** A button whose menu, or small dialog, is loaded and opened by the first click. */
export function MenuOnDemand({ button, menu, opens = 'menu' }: MenuOnDemandProps) {
  const [isRequested, setIsRequested] = useState(false)
  const plainButton = cloneElement(button, { 'aria-haspopup': opens, onClick: () => setIsRequested(true) })
  if (!isRequested) return plainButton
  return (
    <ErrorBoundary
      onError={() => {
        setIsRequested(false)
        toastLoadFailed()
      }}
    >
      <Suspense fallback={plainButton}>
        <OpeningMenu button={button} menu={menu} />
      </Suspense>
    </ErrorBoundary>
  )
}

function OpeningMenu({ button, menu }: MenuOnDemandProps) {
  const target = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    // This button has replaced the first one; when the menu closes, the focus returns to this one.
    target.current?.focus()
    setIsOpen(true)
  }, [])
  return menu({ target: cloneElement(button, { ref: target }), opened: isOpen, onChange: setIsOpen })
}
