/** The card of a link that was just created. */
export const createdTexts = {
  label: "Link created",
  ready: "Your link is ready",
  customize: "Customize QR code",
  close: "Close",
  copy: "Copy link",
  copied: "Copied",
  copiedUrl: (url: string) => `Copied ${url}`,
  qr: "QR code",
  share: "Share",
};
