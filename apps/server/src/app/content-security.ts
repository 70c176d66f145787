/** What pages of the console may load: nothing from other origins. */

interface OtherOrigins {
  /** Origins that scripts may call. */
  asked?: readonly string[]
}

export function contentSecurity({ asked = [] }: OtherOrigins) {
  const from = ["'self'"]
  return {
    useDefaults: false,
    directives: {
      defaultSrc: from,
      scriptSrc: from,
      // Mantine sets its sizes as style attributes.
      styleSrc: [...from, "'unsafe-inline'"],
      imgSrc: [...from, 'data:'],
      fontSrc: from,
      connectSrc: [...from, ...asked],
      objectSrc: ["'none'"],
      baseUri: from,
      formAction: from,
      frameAncestors: ["'none'"],
    },
  }
}
