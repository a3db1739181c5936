import type { PageTexts } from "./page-texts.ts";

export const pt: PageTexts = {
  notFound: {
    title: "Este link não existe",
    text: "Verifique se o endereço está escrito corretamente ou pergunte a quem o forneceu.",
  },
  gone: {
    title: "Este link já não está disponível",
    text: "Expirou ou foi removido. Peça um novo a quem o forneceu.",
  },
  tooManyMisses: {
    title: "Demasiados links desconhecidos",
    text: "A sua rede pediu muitos links que não existem. Aguarde um minuto e tente novamente.",
  },
  tooManyRequests: {
    title: "Demasiados pedidos",
    text: "A sua rede enviou demasiados pedidos. Aguarde um minuto e tente novamente.",
  },
  tooManyPasswords: {
    title: "Demasiadas palavras-passe erradas",
    text: "Aguarde alguns minutos e tente novamente.",
  },
  password: {
    title: "Este link tem uma palavra-passe",
    text: "Introduza a palavra-passe que recebeu com o link.",
    label: "Palavra-passe",
    submit: "Continuar",
    wrong: "A palavra-passe não está certa.",
  },
  limited: {
    title: "Este link só abre um número limitado de vezes",
    text: "Para que as pré-visualizações e outros programas não gastem nenhuma, só recebem esta página.",
    open: "Abrir o link",
  },
  unavailable: {
    title: "Voltamos já",
    text: "Não é possível mostrar esta página neste momento. Tente novamente dentro de alguns segundos.",
  },
  methodNotAllowed: {
    title: "Este endereço só pode ser aberto",
    text: "Os links curtos não respondem a este tipo de pedido.",
  },
  targetTooLong: {
    title: "Este endereço é demasiado longo",
    text: "Os links curtos aceitam endereços com até {max} caracteres.",
  },
  internalError: { title: "Algo correu mal", text: "O erro é nosso. Tente novamente." },
  blocked: {
    title: "Este link está bloqueado",
    reasons: {
      malware: "Foi denunciado por levar a software malicioso.",
      phishing:
        "Foi denunciado por phishing: a página a que leva imita outra para roubar palavras-passe ou dados pessoais.",
      spam: "Foi denunciado como spam.",
      legal: "Foi bloqueado por motivos legais.",
      manual: "Foi bloqueado pelo operador deste serviço.",
      suspended: "A conta a que pertence está suspensa.",
    },
    notForwarded: "Para sua segurança, não fazemos o redirecionamento.",
    mistake: "Acha que é um engano? Escreva para",
    subject: "Link bloqueado em {site}",
  },
  preview: {
    title: "Pré-visualização de {link}",
    heading: "Aonde leva este link",
    leadsTo: "O link curto {link} leva a",
    destination: "Destino",
    lookAlike:
      "Cuidado: o nome do site contém letras parecidas com outras, por isso o mostramos na sua forma técnica (xn--…). Ele pode imitar outro site.",
    varies: "Este link tem regras: outros visitantes, ou você em outro momento, podem chegar a outro lugar.",
    proceed: "Continuar",
    wrong: "Há algum problema com este link? Comunique-o a",
    subject: "Denúncia de {link}",
    demo: {
      title: "Demonstração: sem redirecionamento",
      text: "Fora da demonstração, os visitantes chegam logo ao destino.",
    },
  },
};
