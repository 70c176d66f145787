import { type RefObject, useEffect, useState } from 'react'

/** Whether what stands in a scrolling element is wider than itself. */
export function useIsWider(frame: RefObject<HTMLElement | null>): boolean {
  const [isWider, setIsWider] = useState(false)
  useEffect(() => {
    const { current } = frame
    if (current === null) return
    const observer = new ResizeObserver(() => setIsWider(current.scrollWidth > current.clientWidth))
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [frame])
  return isWider
}
