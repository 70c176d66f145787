import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import classes from './TipLayer.module.css'

const explainMilliseconds = 300
/** Whether a text is cut is checked only while the pointer rests on it. */
const cutMilliseconds = 100

interface Tip {
  text: string
  /** Relative to the window, in pixels. */
  left: number
  top: number
  isAbove: boolean
}

interface TipLayerProps {
  className?: string | undefined
  frame: RefObject<HTMLDivElement | null>
  tabIndex: number | undefined
  children: ReactNode
}

/**
 * A single tooltip for everything inside, so that a hundred rows do not mount hundreds of them. Elements with
 * `data-tip` show that text; elements with `data-cut` show their own text, but only while it is cut off.
 */
export function TipLayer({ className, frame, tabIndex, children }: TipLayerProps) {
  const [tip, setTip] = useState<Tip | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function scheduleTip(event: PointerEvent | FocusEvent) {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip], [data-cut]') : null
    clearTimeout(timer.current)
    setTip(null)
    if (target === null) return
    const wait = target.dataset.tip === undefined ? cutMilliseconds : explainMilliseconds
    timer.current = setTimeout(() => setTip(tipOf(target)), wait)
  }
  function hide() {
    clearTimeout(timer.current)
    setTip(null)
  }
  function hideByKey(event: KeyboardEvent) {
    if (event.key === 'Escape') hide()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens for what happens to the elements inside.
    <div
      ref={frame}
      className={className}
      tabIndex={tabIndex}
      onPointerOver={scheduleTip}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={scheduleTip}
      onBlur={hide}
      onKeyDown={hideByKey}
      onScroll={hide}
    >
      {children}
      {tip !== null && (
        <div
          ref={keepInWindow}
          role="tooltip"
          className={classes.tip}
          data-above={tip.isAbove || undefined}
          style={{ left: tip.left, top: tip.top }}
        >
          {tip.text}
        </div>
      )}
    </div>
  )
}

function tipOf(target: HTMLElement): Tip | null {
  const isCut = target.scrollWidth > target.clientWidth
  const text = target.dataset.tip ?? (isCut ? target.textContent : '')
  if (text === '' || !target.isConnected) return null
  const { left, width, top, bottom } = target.getBoundingClientRect()
  const isAbove = bottom > innerHeight - 80
  return { text, left: left + width / 2, top: isAbove ? top - 6 : bottom + 6, isAbove }
}

function keepInWindow(tip: HTMLElement | null): void {
  if (tip === null) return
  tip.style.translate = ''
  const { left, right } = tip.getBoundingClientRect()
  const tooFar = Math.max(0, right + 8 - innerWidth) + Math.min(0, left - 8)
  tip.style.translate = `${-tooFar}px`
}
