import type { PageTexts } from "./page-texts.ts";

export const fr: PageTexts = {
  notFound: {
    title: "Ce lien n’existe pas",
    text: "Vérifiez l’adresse, ou demandez à la personne qui vous l’a donnée.",
  },
  gone: {
    title: "Ce lien n’est plus disponible",
    text: "Il a pris fin ou a été supprimé. Demandez-en un nouveau à la personne qui vous l’a donné.",
  },
  tooManyMisses: {
    title: "Trop de liens inconnus",
    text: "Votre réseau a demandé beaucoup de liens qui n’existent pas. Patientez une minute, puis réessayez.",
  },
  tooManyRequests: {
    title: "Trop de requêtes",
    text: "Votre réseau a envoyé trop de requêtes. Patientez une minute, puis réessayez.",
  },
  tooManyPasswords: {
    title: "Trop de mots de passe incorrects",
    text: "Veuillez patienter quelques minutes, puis réessayer.",
  },
  password: {
    title: "Ce lien a un mot de passe",
    text: "Saisissez le mot de passe que vous avez reçu avec le lien.",
    label: "Mot de passe",
    submit: "Continuer",
    wrong: "Ce n’est pas le bon mot de passe.",
  },
  limited: {
    title: "Ce lien ne s’ouvre qu’un nombre limité de fois",
    text: "Pour que les aperçus et autres programmes n’en consomment aucune, ils ne reçoivent que cette page.",
    open: "Ouvrir le lien",
  },
  unavailable: {
    title: "De retour dans un instant",
    text: "Cette page ne peut pas être affichée pour le moment. Réessayez dans quelques secondes.",
  },
  methodNotAllowed: {
    title: "Cette adresse peut seulement être ouverte",
    text: "Les liens courts ne répondent pas à ce type de requête.",
  },
  targetTooLong: {
    title: "Cette adresse est trop longue",
    text: "Les liens courts acceptent des adresses de {max} caractères au plus.",
  },
  internalError: { title: "Une erreur s’est produite", text: "L’erreur vient de nous. Veuillez réessayer." },
  blocked: {
    title: "Ce lien est bloqué",
    reasons: {
      malware: "Il a été signalé parce qu’il mène à un logiciel malveillant.",
      phishing:
        "Il a été signalé pour hameçonnage : la page qu’il ouvre en imite une autre pour voler des mots de passe ou des données personnelles.",
      spam: "Il a été signalé comme indésirable.",
      legal: "Il a été bloqué pour des raisons légales.",
      manual: "Il a été bloqué par l’exploitant de ce service.",
      suspended: "Le compte auquel il appartient est suspendu.",
    },
    notForwarded: "Pour votre sécurité, nous ne vous redirigeons pas.",
    mistake: "Vous pensez que c’est une erreur ? Écrivez à",
    subject: "Lien bloqué sur {site}",
  },
  preview: {
    title: "Aperçu de {link}",
    heading: "Où mène ce lien",
    leadsTo: "Le lien court {link} mène à",
    destination: "Destination",
    lookAlike:
      "Attention : le nom du site contient des lettres qui ressemblent à d’autres ; nous l’affichons donc sous sa forme technique (xn--…). Il imite peut-être un autre site.",
    varies: "Ce lien suit des règles : d’autres visiteurs, ou vous à un autre moment, arriveront peut-être ailleurs.",
    proceed: "Continuer",
    wrong: "Ce lien pose problème ? Signalez-le à",
    subject: "Signalement de {link}",
    demo: {
      title: "Démo : pas de redirection",
      text: "En dehors de la démo, les visiteurs arrivent aussitôt à destination.",
    },
  },
};
