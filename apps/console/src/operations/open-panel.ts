/** Opens the panel of operations from where importing it would lead back to the importing module. */
let open: () => void = () => undefined

/** For the header, which has the panel. @returns ends that */
export function onOpenRequest(handle: () => void): () => void {
  open = handle
  return () => {
    if (open === handle) open = () => undefined
  }
}

export function requestPanel(): void {
  open()
}
